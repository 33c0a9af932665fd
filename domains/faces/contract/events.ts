import { UserId } from '@campus/people/contract'
import { event, id } from '@kit/contract'
import { z } from 'zod'

const Person = z.object({ user_id: UserId })

/** What the faces domain publishes (chapter 40 §7, 90 §3): ids only. */
export const facesEvents = {
  /** somebody's face goes to the terminals from now on */
  ready: event('face.ready', Person),
  suspended: event('face.suspended', Person),
  ended: event('face.ended', Person),
  consentGiven: event('face.consent_given', Person),
  consentWithdrawn: event('face.consent_withdrawn', Person),
  duplicateReported: event('face.duplicate_reported', z.object({ case_id: id('faces.case'), user_ids: z.array(UserId) })),
  erasureOpened: event('face.erasure_opened', z.object({ erasure_id: id('faces.erasure'), user_id: UserId })),
  erasureClosed: event('face.erasure_closed', z.object({ erasure_id: id('faces.erasure'), user_id: UserId })),
}
