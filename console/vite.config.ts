import { defineConfig } from 'vite'

export default defineConfig(async ({ command }) => ({
  base: '/console/',
  // Changed components are exchanged in the page, which only developers need.
  plugins: command === 'serve' ? [(await import('@vitejs/plugin-react')).default()] : [],
  build: {
    target: 'es2022',
    // Tells which files a page needs.
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Base UI says of each of its files that it is for browsers, which all of this is.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
}))
