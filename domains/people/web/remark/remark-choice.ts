/** Names what the roll offers; 备注设置 forgets it after a change. */
export const remark_choices_key = 'remark-choices'

/** A remark field that the roll filters by. */
export type RemarkChoice = { id: string; label: string; options: readonly string[] }
