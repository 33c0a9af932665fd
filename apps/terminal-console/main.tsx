import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import './shell/console.css'

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
