import { createRoot } from 'react-dom/client'
import { FacePage } from './face-page.tsx'
import '../visitor.css'
import './face.css'

/** Mounts `/m/face/{token}`: a person or a guardian answers on the phone; no shell, no session. */
export function mountFaceLink(root: HTMLElement): void {
  const [, token = ''] = /^\/m\/face\/([^/]*)/u.exec(window.location.pathname) ?? []
  document.title = '人脸信息授权'
  createRoot(root).render(<FacePage token={token} />)
}
