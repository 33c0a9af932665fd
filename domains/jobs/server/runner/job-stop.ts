/** Why a run ends before its work is done. Thrown through the kind's code, which has nothing to catch. */
export type StopReason = 'cancelled' | 'role_ended' | 'refused' | 'closing' | 'lost'

/** `message` is the sentence for the user where there is one. */
export class JobStop extends Error {
  override readonly name = 'JobStop'
  readonly reason: StopReason
  constructor(reason: StopReason, message = '') {
    super(message)
    this.reason = reason
  }
}
