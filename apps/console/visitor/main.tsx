import { createRoot } from 'react-dom/client'
import { visitOf } from './visit.ts'
import { VisitorPage } from './visitor-page.tsx'
import './visitor.css'

/** Mounts the bare form of `/InformationDialog?key=…`: no shell, no session. */
export function mountVisitor(root: HTMLElement): void {
  const visit = visitOf(window.location.search)
  document.title = '信息登记'
  if (visit) createRoot(root).render(<VisitorPage visit={visit} />)
}
