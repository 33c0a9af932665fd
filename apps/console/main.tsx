import { showEnvironment } from './ribbon.ts'

const is_login = /^\/(\d+)?\/?$/.test(window.location.pathname)

/** The login page at `/` and `/{school_id}`, the app everywhere else; neither loads the other. */
async function start(root: HTMLElement): Promise<void> {
  if (is_login) (await import('./login/main.tsx')).mountLogin(root)
  else (await import('./app/main.tsx')).mountApp(root)
}

const root = document.getElementById('root')
showEnvironment()
if (root) {
  start(root).catch(() => {
    root.textContent = '页面加载失败，请刷新重试'
  })
}
