import { createRoot } from 'react-dom/client'
import { begin, readDocument } from './shell/boot.ts'
import { Shell } from './shell/shell.tsx'
import './shell/shell.css'

/** Nothing is drawn, and nothing else is asked for, before the session is there (chapter 80 M2). */
async function start(root: HTMLElement): Promise<void> {
  const page = readDocument(document.getElementById('mini-document')?.textContent)
  document.title = page.title ?? '智慧校园'
  const first = await begin(page)
  createRoot(root).render(<Shell page={page} first={first} />)
}

const root = document.getElementById('root')
if (root) {
  start(root).catch(() => {
    root.textContent = '页面加载失败，请刷新重试'
  })
}
