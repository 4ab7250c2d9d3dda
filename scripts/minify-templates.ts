/**
 * Styles and markup of the player without their line breaks, which are for whoever reads the sources. In those templates a
 * line ends where the next could follow at once.
 */
export const minifyTemplates = {
  name: 'minify-templates',
  transform: {
    filter: { id: /\/packages\/player\/src\/(feed-)?template\.ts$/ },
    handler: (code: string): string => code.replaceAll(/`[^`]*`/g, (text) => text.replaceAll('\n', '')),
  },
}
