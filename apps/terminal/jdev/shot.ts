import { z } from 'zod'
import { drawCamera } from './camera.ts'
import type { ChildCamera } from './camera.ts'

/** Which camera below it, and where the server takes the picture: a path of its own. */
const Capture = z.object({ child: z.string(), put: z.string().regex(/^\//) })

/** Takes a picture with a camera below a gateway and brings it to the server by HTTP; one that the gateway does not see gives none. */
export async function bringShot(http: string, children: readonly ChildCamera[], args: Record<string, unknown>, now: Date): Promise<void> {
  const asked = Capture.safeParse(args).data
  const camera = children.find(one => one.sn === asked?.child)
  if (!asked || camera?.state !== 'online' || http === '') return
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(await drawCamera(camera.sn, now))], { type: 'image/jpeg' }), `${camera.sn}.jpg`)
  await fetch(new URL(asked.put, http), { method: 'POST', body: form })
}
