import type { Message } from '@kit/terminal-protocol/console'
import { redact } from '@kit/terminal-protocol/vf105'

const [most_messages, longest_text] = [200, 2000]
/** Of people a message names: a technician at the door has no need of them. */
const of_people = ['name', 'no', 'dept', 'secret']

/** The last messages of the line, newest first, without passwords, codes, pictures and people. */
export class MessageTrace {
  readonly #kept: Message[] = []

  note(direction: Message['direction'], type: string, body: unknown, at: Date): void {
    this.#kept.unshift({ at: at.toISOString(), direction, type, text: JSON.stringify(redact(body, { also: of_people })).slice(0, longest_text) })
    if (this.#kept.length > most_messages) this.#kept.pop()
  }

  list(): readonly Message[] {
    return this.#kept
  }
}
