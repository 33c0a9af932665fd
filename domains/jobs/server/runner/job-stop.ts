/**
 * Why a run ends before its work is done. Thrown through the kind's code, which has nothing to catch. `lost`: somebody else
 * holds the job now, or it has been cancelled; there is nothing left to say.
 * `paused`: its school was suspended; it goes on when the school does.
 */
export type StopReason = 'role_ended' | 'refused' | 'closing' | 'paused' | 'lost'

/** `message` is the sentence for the user where there is one. */
export class JobStop extends Error {
  override readonly name = 'JobStop'
  readonly reason: StopReason
  constructor(reason: StopReason, message = '') {
    super(message)
    this.reason = reason
  }
}
