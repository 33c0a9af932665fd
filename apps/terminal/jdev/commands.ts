import { z } from 'zod'

/** Commands that are remembered, so that one that comes twice is done once (chapter 31 §3). */
const remembered = 1000
const at_once = ['restart', 'time', 'beep', 'locate', 'capture', 'screenshot', 'clear_fire', 'log', 'config', 'upgrade'] as const
const of_doors = ['open', 'hold_open', 'lock', 'resume', 'evacuate', 'seal'] as const
const done_here: readonly string[] = [...at_once, ...of_doors]
const Asked = z.object({ name: z.string(), args: z.record(z.string(), z.unknown()).default({}), expires_at: z.iso.datetime({ offset: true }) })

export type CommandReply = { code: string; text?: string }

/** What a terminal is told to do at once: each command once, never after its end. */
export class Commands {
  /** what was done, oldest first */
  readonly done: string[] = []
  /** commands that this hardware cannot do, and why */
  readonly broken = new Map<string, string>()
  readonly #answers = new Map<string, CommandReply>()

  /** The answer to a command; `is_new`: it is to be done now. `now` = the terminal's own clock. */
  take(id: string, body: unknown, now: Date): { reply: CommandReply; is_new: boolean; name: string; args: Record<string, unknown> } {
    const known = this.#answers.get(id)
    if (known) return { reply: known, is_new: false, name: '', args: {} }
    const asked = Asked.safeParse(body).data
    const why = this.broken.get(asked?.name ?? '')
    const reply = why === undefined ? replyTo(asked, now) : { code: 'failed', text: why }
    this.#answers.set(id, reply)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > remembered && oldest !== undefined) this.#answers.delete(oldest)
    if (reply.code === 'ok' && asked) this.done.push(asked.name)
    return { reply, is_new: reply.code === 'ok', name: asked?.name ?? '', args: asked?.args ?? {} }
  }
}

function replyTo(asked: z.output<typeof Asked> | undefined, now: Date): CommandReply {
  if (!asked) return { code: 'body', text: '命令格式不正确' }
  if (!done_here.includes(asked.name)) return { code: 'unsupported' }
  return Date.parse(asked.expires_at) <= now.getTime() ? { code: 'expired' } : { code: 'ok' }
}
