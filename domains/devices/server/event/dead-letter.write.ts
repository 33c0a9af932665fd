import type { Line } from '../link/line.ts'

const [longest_topic, longest_detail] = [200, 200]

/** Keeps count of what was not understood. */
export async function writeDeadLetter({ db, school_id, device_id, now }: Line, { topic, reason, detail }: { topic: string; reason: string; detail: string }): Promise<void> {
  await db.insertInto('dead_letter').values({ school_id, device_id, at: now, topic: topic.slice(0, longest_topic), reason, detail: detail.replaceAll('\u0000', '').slice(0, longest_detail) }).execute()
}
