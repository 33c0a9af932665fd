/** Stored states of a task; 未开始, 选课中 and 已结束 follow from the times of a published one (chapter 50 §2). */
export const stored = { draft: 0, published: 1, announced: 4, void: 9 } as const
/** ELECTIVE_STATE as people see it. */
export const shown = { draft: 0, coming: 1, open: 2, closed: 3, announced: 4, void: 9 } as const
export const modes = { rush: 1, lottery: 2 } as const
/** States of a seat (chapter 50 §1.4). */
export const seats = { has: 1, wish: 2, waits: 3, drawn: 4, lost: 5, dropped: 6 } as const
export const combo_kind = 1

type Times = { state: number; paused: boolean; open_at: Date; close_at: Date }

/** Where a task is by the server's clock: half-open [open_at, close_at), a pause is 未开始. */
export function stateAt({ state, paused, open_at, close_at }: Times, now: Date): number {
  if (state !== stored.published) return state
  if (now >= close_at) return shown.closed
  return paused || now < open_at ? shown.coming : shown.open
}
