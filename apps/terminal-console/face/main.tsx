import { createRoot } from 'react-dom/client'
import { Screen } from './screen.tsx'
import './screen.css'

const root = document.getElementById('root')
if (root) createRoot(root).render(<Screen />)
