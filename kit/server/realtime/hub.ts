import type { Kysely } from 'kysely'
import type { Boot, Me, ServedChannel } from '../http/index.ts'
import { createBacklog } from './backlog.ts'
import type { Backlog, Frame } from './backlog.ts'
import { findChannel, mayHear } from './channels.ts'
import type { Notice, Told } from './notice.ts'
import { watcherPort } from './watchers.ts'
import type { SessionKey } from './watchers.ts'

const flush_ms = 200
const recheck_ms = 1000
const living_ms = 2000
/** How long the last words to a browser may take before it is shut out. */
const farewell_ms = 500

/** Where the frames of one browser go: a connection, or what its polls fetch. */
type Sink = {
  /** takes more now; what comes meanwhile waits, up to the bound */
  isReady(): boolean
  send(frame: Frame): void
  end(): void
}
type Watcher = {
  key: string
  client_id: string
  session: SessionKey
  sink: Sink
  backlog: Backlog
  channels: ReadonlySet<string>
  me: { value: Me | null; until: number } | undefined
  /** channels that were found to be his to hear, until when */
  may: Map<string, number>
  busy: boolean
}

/** What is told to the browsers of this node. */
export type Hub = {
  /** `key`: one browser's way, its connection or its polls; `session` as its ticket named it. Waits until its channels are known. */
  join(key: string, client_id: string, session: SessionKey, sink: Sink): Promise<void>
  leave(key: string): void
  /** everything it watches may have been missed: the frames that say so */
  gaps(key: string): Frame[]
  heard(notice: Notice): void
  /** notices may have been missed: everybody asks for everything again */
  missed(): void
  stop(): void
}

/** Opens the hub of a node; channels are the product's. */
export function openHub(boot: Boot, channels: ReadonlyMap<string, ServedChannel>): Hub {
  const watchers = new Map<string, Watcher>()
  const always = [...channels.values()].filter(one => one.always).map(one => one.fact.name)
  const flushing = setInterval(() => watchers.forEach(watcher => void flush(boot, channels, watcher)), flush_ms).unref()
  const looking = setInterval(() => void endDead(boot, watchers), living_ms).unref()
  const reload = async (watcher: Watcher) => {
    const asked = await watcherPort.one(boot.app).channels(watcher.client_id)
    if (!asked) {
      watcher.sink.end()
      return
    }
    watcher.channels = new Set([...always, ...asked])
    watcher.backlog.keep(watcher.channels)
  }
  return {
    async join(key, client_id, session, sink) {
      const watcher: Watcher = {
        key, client_id, session, sink, backlog: createBacklog(), channels: new Set(always), me: undefined, may: new Map(), busy: false,
      }
      watchers.set(key, watcher)
      await reload(watcher)
    },
    leave: key => void watchers.delete(key),
    gaps(key) {
      const watcher = watchers.get(key)
      if (!watcher) return []
      watcher.backlog.take()
      return [...watcher.channels].flatMap(ch => watcher.backlog.frames(ch, { rows: [], gap: true }, boot.app.clock.now()))
    },
    heard(notice) {
      if ('ch' in notice) return tell(boot, watchers, notice)
      const failed = (error: unknown) => boot.app.log.warn({ err: error }, 'the channels of a browser could not be read')
      for (const watcher of watchers.values()) if (watcher.client_id === notice.watch) void reload(watcher).catch(failed)
    },
    missed: () => watchers.forEach(watcher => watcher.channels.forEach(ch => watcher.backlog.lose(ch))),
    stop() {
      clearInterval(flushing)
      clearInterval(looking)
    },
  }
}

function tell({ app }: Boot, watchers: Map<string, Watcher>, told: Told): void {
  watcherPort.one(app).told(told.school_id, told.ch, told.rows, told.to?.sessions ?? [])
  for (const watcher of watchers.values()) {
    if (!isFor(watcher, told)) continue
    if (told.end) farewell(app.clock.now(), watchers, watcher, told)
    else watcher.backlog.add(told)
  }
}

function isFor({ session, channels, me }: Watcher, { school_id, ch, to }: Told): boolean {
  if (session.school_id !== school_id || !channels.has(ch)) return false
  if (!to) return true
  if (to.sessions?.includes(session.session_id) || to.users?.includes(session.user_id)) return true
  // An identity that was never looked up may hold the role: what it is told tells it to ask.
  return to.roles !== undefined && (!me?.value || to.roles.includes(me.value.role_id))
}

/** The end of a session is told at once, past everything that waits, and closes the connection. */
function farewell(now: Date, watchers: Map<string, Watcher>, watcher: Watcher, { ch, rows }: Told): void {
  watchers.delete(watcher.key)
  for (const frame of watcher.backlog.frames(ch, { rows, gap: false }, now)) watcher.sink.send(frame)
  setTimeout(() => watcher.sink.end(), farewell_ms).unref()
}

async function flush(boot: Boot, channels: ReadonlyMap<string, ServedChannel>, watcher: Watcher): Promise<void> {
  if (watcher.busy || watcher.backlog.isEmpty() || !watcher.sink.isReady()) return
  watcher.busy = true
  try {
    const me = await identify(boot, watcher)
    if (!me) return watcher.sink.end()
    for (const [ch, waiting] of watcher.backlog.take()) {
      const rows = await allowed(boot, channels, { watcher, me }, { ch, rows: waiting.rows })
      if (!rows) continue
      for (const frame of watcher.backlog.frames(ch, { rows, gap: waiting.gap }, boot.app.clock.now())) watcher.sink.send(frame)
    }
  } catch (error) {
    boot.app.log.warn({ err: error }, 'a browser could not be told')
    watcher.channels.forEach(ch => watcher.backlog.lose(ch))
  } finally {
    watcher.busy = false
  }
}

async function identify({ app }: Boot, watcher: Watcher): Promise<Me | null> {
  if (watcher.me && watcher.me.until > performance.now()) return watcher.me.value
  const value = await watcherPort.one(app).identify(watcher.session)
  watcher.me = { value, until: performance.now() + recheck_ms }
  return value
}

type Row = Record<string, unknown>

/** The rows this identity may see now; nothing when the channel is not its to hear. */
async function allowed({ app, database }: Boot, channels: ReadonlyMap<string, ServedChannel>, { watcher, me }: { watcher: Watcher; me: Me }, { ch, rows }: { ch: string; rows: readonly Row[] }): Promise<readonly Row[] | null> {
  const found = findChannel(channels, ch)
  if (!found) return null
  const { need } = found.served.fact
  if (need !== undefined && !me.codes.has(need)) return null
  const is_settled = !found.served.may || (watcher.may.get(ch) ?? 0) > performance.now()
  if (is_settled && !found.served.visible) return rows
  return database.tenant(me.school_id, async (db: Kysely<unknown>) => {
    const desk = { app, db, school_id: me.school_id, me, now: app.clock.now() }
    if (!is_settled && !(await mayHear(desk, found))) return null
    watcher.may.set(ch, performance.now() + recheck_ms)
    return found.served.visible ? found.served.visible(desk, rows) : rows
  }, { read_only: true })
}

/** Ends whoever's session is over, also where nobody said so: expired, or ended by other hands. */
async function endDead({ app }: Boot, watchers: ReadonlyMap<string, Watcher>): Promise<void> {
  for (const [school_id, held] of Map.groupBy(watchers.values(), ({ session }) => session.school_id)) {
    const found = watcherPort.one(app).living(school_id, held.map(({ session }) => session.session_id))
    const living = await found.catch((error: unknown) => void app.log.warn({ err: error }, 'sessions of browsers could not be looked up'))
    const dead = living ? held.filter(({ session }) => !living.has(session.session_id)) : []
    for (const { sink } of dead) sink.end()
  }
}
