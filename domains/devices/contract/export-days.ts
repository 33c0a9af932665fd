import { z } from 'zod'

const day = z.iso.date({ error: '请选择日期' })
/** The days of an export of what has happened: of Asia/Shanghai, both included. */
export const export_days = { from: day, to: day } as const
/** Days that are exported together (chapter 30 §4). */
export const most_export_days = 31
