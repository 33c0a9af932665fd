import type { DueWork } from '@campus/jobs/server'

export const batch_work = 'people_delete_batch'
export const person_work = 'people_delete_person'

/** The end of the time in which a batch can still be cancelled. The moment is part of its name: one batch may be due again later. */
export function batchWork(school_id: number, batch_no: string, due_at: Date): DueWork {
  return { school_id, kind: batch_work, ref: `${batch_no}@${due_at.getTime()}`, due_at }
}

/** One person who is to be erased; `at` tells one attempt after another by hand from the first. */
export function personWork(school_id: number, batch_no: string, user_id: string, at: Date): DueWork {
  return { school_id, kind: person_work, ref: `${batch_no}/${user_id}@${at.getTime()}`, due_at: at }
}

/** The batch that a line is about, and the person. */
export function readRef(ref: string): { batch_no: string; user_id: string } {
  const [thing = ''] = ref.split('@')
  const [batch_no = '', user_id = ''] = thing.split('/')
  return { batch_no, user_id }
}
