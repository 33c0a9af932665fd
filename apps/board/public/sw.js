// Keeps the player itself, so that a board that is switched on without the server begins all the same. Plans and files are kept by the page.
const shell = 'board-shell'

self.addEventListener('install', event => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})

self.addEventListener('activate', event => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', event => {
  const { request } = event
  const path = new URL(request.url).pathname
  if (request.method !== 'GET' || !path.startsWith('/board/')) return
  event.respondWith(request.mode === 'navigate' ? newestPage(request) : keptAsset(request))
})

/** The page and what it names. */
async function keepShell() {
  const cache = await caches.open(shell)
  const answer = await fetch('/board/', { cache: 'no-store' })
  if (!answer.ok) return
  const text = await answer.clone().text()
  await cache.put('/board/', answer)
  await cache.addAll([...text.matchAll(/(?:src|href)="(\/board\/assets\/[^"]+)"/g)].map(([, path]) => path))
}

async function newestPage(request) {
  try {
    const answer = await fetch(request)
    if (answer.ok) await keepShell()
    return answer
  } catch {
    return (await (await caches.open(shell)).match('/board/')) ?? Response.error()
  }
}

/** Parts that come later are kept too: their names change with their contents. */
async function keptAsset(request) {
  const cache = await caches.open(shell)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok && request.url.includes('/board/assets/')) await cache.put(request, answer.clone())
  return answer
}
