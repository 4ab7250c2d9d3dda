// First of all: what links bring is out of the address before anything reads it.
import './session/fragment.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api.ts'
import { Toasts } from './components/toasts.tsx'
import { router } from './routes.tsx'
import './styles/tokens.css'
import './styles/base.css'
import { applyTheme } from './theme.ts'
import { ProgressLine } from './under-way.tsx'
import { keepFilesFromOpening } from './uploads/file-drops.ts'

applyTheme()
keepFilesFromOpening()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Toasts>
        <ProgressLine router={router} />
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
)
