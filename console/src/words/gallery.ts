/** The words of the page that shows all components. They are for people who work on the console. */
export const galleryWords = {
  title: 'Components',
  lead: 'Everything that pages are made of, in each of its states. Press Tab to see where the focus is.',
  themes: { '': 'As the console', light: 'Light', dark: 'Dark', both: 'Side by side' },
  colours: 'Colours',
  type: 'Type',
  spacing: 'Spacing',
  sample: 'The harbour at six in the morning',
}
