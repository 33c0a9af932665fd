import { cameraApi } from '@campus/devices/contract'
import { bindCamera, unbindCamera } from './camera/bind.service.ts'
import { listCameras, readCamera } from './camera/camera.service.ts'
import { createCamera, removeCamera, updateCamera } from './camera/camera.write.ts'
import { implement } from './db.ts'

export const cameraRoutes = implement(cameraApi, {
  list: (ctx, asked) => listCameras(ctx, asked),
  detail: (ctx, asked) => readCamera(ctx, asked),
  create: (ctx, draft) => createCamera(ctx, draft),
  update: (ctx, patch) => updateCamera(ctx, patch),
  remove: (ctx, asked) => removeCamera(ctx, asked),
  bind: (ctx, asked) => bindCamera(ctx, asked),
  unbind: (ctx, asked) => unbindCamera(ctx, asked),
})
