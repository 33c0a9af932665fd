import { Instant } from '@kit/contract'
import { z } from 'zod'

/** What is done at a device that came in with an enrol code before it is the school's own, by the hardware that it is (chapter 31 §5.7.1). */
export const adoption_titles = { secret: '更换接入密码', mqtt: '连接设置与接入密码', sys: '心跳与人脸照片设置', ntp: '时区', base: '控制台密码', access: '通行记录设置' } as const
export type AdoptionTitle = keyof typeof adoption_titles

/** How far a device has come: what each step waits for or why it was refused, and what to do about it. */
export const DeviceAdoption = z.object({
  steps: z.array(z.object({ step: z.enum(['secret', 'mqtt', 'sys', 'ntp', 'base', 'access']), state: z.enum(['done', 'waiting', 'refused']), sentence: z.string().nullable() })),
  begun_at: Instant,
  done_at: Instant.nullable(),
})
export type DeviceAdoption = z.output<typeof DeviceAdoption>
