import { openLink } from './link.ts'
import type { Link } from './link.ts'
import { deliver, deliverGap, onRealtimeChange, realtimeState, setRealtimeState, wantedChannels } from './listeners.ts'
import { tabLock } from './tab-lock.ts'
import { readWord } from './tab-word.ts'
import type { TabWord } from './tab-word.ts'

const TICK_MS = 2000
const FORGET_MS = 10_000
/** A tab that nobody has looked at for so long leaves. */
const HIDDEN_MS = 5 * 60_000

type Tab = {
  me: string
  /** false once this tab has left */
  joined: boolean
  lock: ReturnType<typeof tabLock>
  say: (word: TabWord) => void
  /** what the other tabs want, while this one leads */
  wishes: Map<string, { channels: readonly string[]; at: number }>
  link: Link | undefined
  /** channels the link was asked for last */
  asked: string
  hidden_at: number | undefined
}

/** Joins this tab to the others of the browser: one of them holds the connection and passes on what it hears. The answer leaves. */
export function joinTabs(): () => void {
  const me = Math.random().toString(36).slice(2)
  const others = new BroadcastChannel('campus-realtime')
  // Whoever hears that he is signed out leaves in the middle of passing it on.
  const say = (word: TabWord) => {
    if (tab.joined) others.postMessage(word)
  }
  const tab: Tab = { me, joined: true, lock: tabLock(me), say, wishes: new Map(), link: undefined, asked: '', hidden_at: document.hidden ? Date.now() : undefined }
  others.onmessage = ({ data }: MessageEvent) => {
    const word = readWord(data)
    if (word) hear(tab, word)
  }
  const timer = window.setInterval(() => void tick(tab), TICK_MS)
  const forget = onRealtimeChange(() => update(tab))
  const seen = () => look(tab)
  const gone = () => leave(tab)
  document.addEventListener('visibilitychange', seen)
  window.addEventListener('pagehide', gone)
  void tick(tab)
  return () => {
    window.clearInterval(timer)
    forget()
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('pagehide', gone)
    leave(tab)
    tab.joined = false
    others.close()
  }
}

async function tick(tab: Tab): Promise<void> {
  if (isAway(tab)) return leave(tab)
  const leads = await tab.lock.hold()
  if (!tab.joined) return tab.lock.letGo()
  if (leads && !tab.link) lead(tab)
  if (!leads && tab.link) resign(tab)
  for (const [other, { at }] of tab.wishes) if (Date.now() - at > FORGET_MS) tab.wishes.delete(other)
  update(tab)
  if (tab.link) tab.say({ kind: 'state', state: realtimeState() })
}

function lead(tab: Tab): void {
  const channels = wanted(tab)
  tab.asked = channels.join()
  tab.link = openLink(
    {
      frame: (frame) => {
        deliver(frame)
        tab.say({ kind: 'frame', frame })
      },
      gap: () => {
        deliverGap()
        tab.say({ kind: 'gap' })
      },
      state: (state) => {
        setRealtimeState(state)
        tab.say({ kind: 'state', state })
      },
    },
    channels,
  )
  tab.say({ kind: 'lead' })
}

function resign(tab: Tab): void {
  tab.link?.close()
  tab.link = undefined
  tab.wishes.clear()
  tab.lock.letGo()
}

function leave(tab: Tab): void {
  resign(tab)
  tab.say({ kind: 'bye', tab: tab.me })
  setRealtimeState('off')
}

/** What this tab and those that follow it want to hear; what everybody is told needs no asking. */
function wanted({ wishes }: Tab): string[] {
  const all = [...wantedChannels(), ...[...wishes.values()].flatMap((wish) => wish.channels)]
  return [...new Set(all)].filter((ch) => ch !== 'me').toSorted()
}

function update(tab: Tab): void {
  if (!tab.link) return tab.say({ kind: 'want', tab: tab.me, channels: [...wantedChannels()] })
  const channels = wanted(tab)
  if (channels.join() === tab.asked) return
  tab.asked = channels.join()
  tab.link.watch(channels)
}

function hear(tab: Tab, word: TabWord): void {
  if (word.kind === 'want') tab.wishes.set(word.tab, { channels: word.channels, at: Date.now() })
  else if (word.kind === 'bye') tab.wishes.delete(word.tab)
  if (tab.link) return update(tab)
  if (isAway(tab)) return
  if (word.kind === 'lead') update(tab)
  else if (word.kind === 'frame') deliver(word.frame)
  else if (word.kind === 'gap') deliverGap()
  else if (word.kind === 'state') setRealtimeState(word.state)
}

function look(tab: Tab): void {
  const was_away = isAway(tab)
  tab.hidden_at = document.hidden ? Date.now() : undefined
  // What happened meanwhile was not heard.
  if (was_away && !document.hidden) deliverGap()
  void tick(tab)
}

function isAway({ hidden_at }: Tab): boolean {
  return hidden_at !== undefined && Date.now() - hidden_at > HIDDEN_MS
}
