import { showEnvironment } from './ribbon.ts'

const is_login = /^\/(\d+)?\/?$/.test(window.location.pathname)

const is_visit = window.location.pathname === '/InformationDialog' && window.location.search.includes('key=')

const is_booking = window.location.pathname === '/VisitorBook'

const is_face_link = window.location.pathname.startsWith('/m/face/')

/** The login page at `/` and `/{school_id}`, a public form or a consent by its link, the app everywhere else; none loads another. */
async function start(root: HTMLElement): Promise<void> {
  if (is_login) (await import('./login/main.tsx')).mountLogin(root)
  else if (is_visit) (await import('./visitor/main.tsx')).mountVisitor(root)
  else if (is_booking) (await import('./visitor/booking/main.tsx')).mountBooking(root)
  else if (is_face_link) (await import('./visitor/face/main.tsx')).mountFaceLink(root)
  else (await import('./app/main.tsx')).mountApp(root)
}

const root = document.getElementById('root')
showEnvironment()
if (root) {
  start(root).catch(() => {
    root.textContent = '页面加载失败，请刷新重试'
  })
}
