import type { UploadAsked } from '@kit/terminal-protocol'
import { JdevTerminal } from '../jdev/terminal.ts'
import type { TerminalOptions } from '../jdev/options.ts'
import { drawScene } from './drawing.ts'

/** Pictures that a box keeps for being asked for. */
const most_pictures = 500

/** What a box says of something that it has seen. `camera`: the serial number. */
export type Sighting = { kind: string; camera: string; rule_id?: string; person_ref?: string; score?: number; at?: string }

/** A virtual box: sees through cameras, keeps a picture of everything it sees, and sends those that it is asked for. */
export class AiBox extends JdevTerminal {
  readonly #address: string
  readonly #pictures = new Map<string, Buffer>()
  #drawn = 0
  /** pictures sent so far */
  sent = 0

  /** `address`: of the school, where pictures go */
  constructor({ address, ...options }: TerminalOptions & { address: string }) {
    super({ model: 'JD-A6', ...options })
    this.#address = address
  }

  /** Something is seen. @returns the name of its picture */
  see({ kind, camera, at, ...more }: Sighting): string {
    this.#drawn += 1
    const image = `${this.store.epoch.slice(0, 8)}-${this.#drawn}.png`
    this.#pictures.set(image, drawScene(kind, this.#drawn))
    for (const old of [...this.#pictures.keys()].slice(0, -most_pictures)) this.#pictures.delete(old)
    this.tell('warn', { kind, camera, image, ...more }, at)
    return image
  }

  protected override asked(uploads: readonly UploadAsked[]): void {
    void this.#send(uploads)
  }

  /** Sends what is asked for, one after the other; a picture that does not get through is asked for again at the next hello. */
  async #send(uploads: readonly UploadAsked[]): Promise<void> {
    for (const { image, key, url, fields } of uploads) {
      const bytes = this.#pictures.get(image)
      if (!bytes) continue
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...fields, key })) form.append(name, value)
      form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), image)
      const answer = await fetch(new URL(url, this.#address), { method: 'POST', body: form }).catch(() => null)
      if (!answer?.ok) continue
      this.#pictures.delete(image)
      this.sent += 1
      this.tell('image', { image, key })
    }
  }
}
