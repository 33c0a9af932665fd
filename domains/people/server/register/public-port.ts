import type { PublicAct, PublicAnswer, PublicForm, PublicUploads } from '@campus/people/contract'
import { Port } from '@kit/server/http'
import type { Pre } from '@kit/server/http'

type Submit = Extract<PublicAct, { act: 'submit' }>
type Status = Extract<PublicAct, { act: 'status' }>

/** Which form is asked for: the school in the address, and the secret beside it. */
export type PublicKey = { school_id: number; secret: string }

/**
 * One kind of public form behind `register/public/{key}`. Each function answers null when the secret is none of its own, and the next kind is asked.
 * It has no session: whatever it reads, it reads by `pre.own(school_id, …)`.
 */
export type PublicDoor = {
  look(pre: Pre, key: PublicKey, field_scene: number): Promise<PublicForm | null>
  /**
   * Judges what was sent before the captcha is spent, and answers the function that keeps it.
   * @throws Refusal 409 for a closed form, 422 for another scene, 400 with the fields that are wrong
   */
  submit(pre: Pre, key: PublicKey, sent: Submit): Promise<(() => Promise<PublicAnswer>) | null>
  /**
   * Absent where a form takes no files. Says whether it does now, and answers the function that gives forms once the captcha is spent.
   * @throws Refusal 409 for a closed form, 422 for one that wants no files; the function 429
   */
  uploads?(pre: Pre, key: PublicKey): Promise<(() => Promise<PublicUploads>) | null>
  /** null also when there is no such entry or the four signs are not its own: nobody learns which */
  status(pre: Pre, key: PublicKey, asked: Status): Promise<PublicAnswer | null>
}

/** Filled by open registration and by the seasons of freshmen. */
export const publicDoorPort = new Port<PublicDoor>('people.public_door')
