import { useEffect, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import './board.css'
import { Player } from './player.ts'
import type { Link } from './player.ts'
import { ScreenPage } from './screen.tsx'
import { pair } from './server.ts'
import { openStore } from './store.ts'
import type { Held, Store } from './store.ts'

const look_every_ms = 500
const links: Readonly<Record<Link, string>> = { synced: '已同步', staged: '正在下载新内容', offline: '离线播放' }

function App({ store, first }: { store: Store; first: Held | null }): ReactNode {
  const [held, setHeld] = useState(first)
  if (held === null) return <Pairing store={store} onPaired={setHeld} />
  return <Playing key={held.credential} store={store} held={held} onEnd={setHeld} />
}

/** 未配对: the code of the console is typed, or comes with the address. */
function Pairing({ store, onPaired }: { store: Store; onPaired: (held: Held) => void }): ReactNode {
  const [code, setCode] = useState(decodeURIComponent(location.hash.slice(1)))
  const [fault, setFault] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFault('')
    try {
      const { credential, device_name } = await pair(code.trim())
      const held: Held = {
        credential,
        device_name,
        epoch: `${Date.now()}-${Math.random().toString(36).slice(2)}`,
        seq: 0,
        contact: Date.now(),
        plan: null,
      }
      await store.keep(held)
      history.replaceState(null, '', location.pathname)
      onPaired(held)
    } catch (error) {
      setFault(error instanceof TypeError ? '连接不上服务器，请检查网络' : error instanceof Error ? error.message : '配对失败，请重试')
    }
  }
  return (
    <form className="pairing" onSubmit={event => void submit(event)}>
      <h1>班牌配对</h1>
      <p>在“班牌管理”里选择这块班牌，生成配对码后填写在这里。</p>
      <label>
        配对码 <input value={code} onChange={event => setCode(event.target.value)} autoComplete="off" />
      </label>
      {fault !== '' && <p role="alert">{fault}</p>}
      <button type="submit" disabled={code.trim() === ''}>
        配对
      </button>
    </form>
  )
}

function Playing({ store, held, onEnd }: { store: Store; held: Held; onEnd: (held: null) => void }): ReactNode {
  const [player, setPlayer] = useState<Player | null>(null)
  const [at, setAt] = useState(() => Date.now())
  useEffect(() => {
    const look = () => setAt(Date.now())
    const own = new Player(store, held, look)
    const tick = () => {
      own.note(Date.now())
      look()
    }
    setPlayer(own)
    const timer = setInterval(tick, look_every_ms)
    void own.run().then(() => onEnd(null))
    return () => clearInterval(timer)
  }, [store, held, onEnd])
  const plan = player?.plan ?? null
  const screen = player?.screenAt(at) ?? null
  useEffect(() => {
    if (player && plan) requestAnimationFrame(() => void player.painted())
  }, [player, plan])
  return (
    <>
      {player && plan && screen ? (
        <ScreenPage player={player} plan={plan} screen={screen} at={at} />
      ) : (
        <main className="pairing">
          <h1>{held.device_name}</h1>
          <p>正在首次同步内容</p>
        </main>
      )}
      <i className="dot" data-link={player?.link ?? 'offline'} title={links[player?.link ?? 'offline']} />
    </>
  )
}

async function start(root: HTMLElement): Promise<void> {
  if ('serviceWorker' in navigator) await navigator.serviceWorker.register('/board/sw.js', { scope: '/board/' }).catch(() => undefined)
  await navigator.storage?.persist?.().catch(() => false)
  const store = await openStore()
  const first = await store.held()
  createRoot(root).render(<App store={store} first={first} />)
}

const root = document.getElementById('root')
if (root) {
  start(root).catch(() => {
    root.textContent = '播放页面不能启动：请检查浏览器是否允许保存数据'
  })
}
