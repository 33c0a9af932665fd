import type { BoardPlan, PlayerPlan } from '@campus/publishing/contract'
import type { Word } from './store.ts'

/** The server says something else than yes; `sentence` is its own. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

type Answer = { data?: unknown; msg?: string }
const waits_ms = 30_000

/** Turns the code of the console into the credential of this board. @throws Refused, TypeError without a line */
export async function pair(enrol_code: string): Promise<{ credential: string; device_name: string }> {
  const told = await ask('player/pair', {
    method: 'POST',
    body: JSON.stringify({ enrol_code }),
    headers: { 'content-type': 'application/json' },
  })
  const { data } = await answerOf(told)
  if (!isPaired(data)) throw new Refused(told.status, '服务器的回答无法识别，请稍后再试')
  return data
}

/** The newest plan; null when it is the one of `tag`. */
export async function fetchPlan(credential: string, tag: string): Promise<{ plan: PlayerPlan; tag: string } | null> {
  const told = await ask('player/plan', {
    headers: { authorization: `Bearer ${credential}`, ...(tag === '' ? {} : { 'if-none-match': tag }) },
  })
  if (told.status === 304) return null
  const { data } = await answerOf(told)
  return isPlan(data) ? { plan: data, tag: told.headers.get('etag') ?? '' } : null
}

type Fetching = { signal: AbortSignal; onBytes: (bytes: number) => void }

/** The bytes of a file, as they come. @throws Refused, TypeError, DOMException when it was given up */
export async function fetchFile(credential: string, sha256: string, { signal, onBytes }: Fetching): Promise<Blob> {
  const told = await fetch(`/iot/api/player/file/${sha256}`, {
    headers: { authorization: `Bearer ${credential}` },
    cache: 'no-store',
    credentials: 'omit',
    signal,
  })
  if (!told.ok) throw new Refused(told.status, '文件不能下载')
  const reader = told.body?.getReader()
  if (!reader) return told.blob()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    bytes += part.value.length
    onBytes(bytes)
  }
  return new Blob(parts, { type: told.headers.get('content-type') ?? '' })
}

export async function tell(
  credential: string,
  said: { epoch: string; words: readonly Word[]; status: Record<string, unknown>; plays: readonly object[] },
): Promise<void> {
  await answerOf(
    await ask('player/receipts', {
      method: 'POST',
      body: JSON.stringify(said),
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    }),
  )
}

async function ask(path: string, request: RequestInit): Promise<Response> {
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(), waits_ms)
  try {
    return await fetch(`/iot/api/${path}`, { ...request, cache: 'no-store', credentials: 'omit', signal: control.signal })
  } finally {
    clearTimeout(timer)
  }
}

async function answerOf(told: Response): Promise<Answer> {
  const answer: Answer = await told.json().catch(() => ({}))
  if (!told.ok) throw new Refused(told.status, answer.msg ?? '服务器没有回答，请稍后再试')
  return answer
}

function isPaired(data: unknown): data is { credential: string; device_name: string } {
  return typeof data === 'object' && data !== null && 'credential' in data && 'device_name' in data
}

function isPlan(data: unknown): data is PlayerPlan {
  return typeof data === 'object' && data !== null && 'plan' in data && 'plan_hash' in data
}

/** Whether what came is a plan that can be shown. */
export function isBoardPlan(plan: unknown): plan is BoardPlan {
  return typeof plan === 'object' && plan !== null && 'items' in plan && 'template' in plan
}
