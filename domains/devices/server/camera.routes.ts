import { cameraApi, cameraShotApi } from '@campus/devices/contract'
import { bindCamera, unbindCamera } from './camera/bind.service.ts'
import { listCameras, readCamera } from './camera/camera.service.ts'
import { createCamera, removeCamera, updateCamera } from './camera/camera.write.ts'
import { watchLive } from './camera/live.service.ts'
import { admitShot, showShot, takeShot } from './camera/shot.service.ts'
import { testCamera } from './camera/test.service.ts'
import { endViews, listViews } from './camera/view.service.ts'
import { implement } from './db.ts'

export const cameraRoutes = [...implement(cameraApi, {
  list: (ctx, asked) => listCameras(ctx, asked),
  detail: (ctx, asked) => readCamera(ctx, asked),
  create: (ctx, draft) => createCamera(ctx, draft),
  update: (ctx, patch) => updateCamera(ctx, patch),
  remove: (ctx, asked) => removeCamera(ctx, asked),
  test: { outside: (pre, asked) => testCamera(pre, asked) },
  live: { outside: (pre, asked) => watchLive(pre, asked) },
  watched: (ctx, asked) => endViews(ctx, asked),
  views: (ctx, asked) => listViews(ctx, asked),
  bind: (ctx, asked) => bindCamera(ctx, asked),
  unbind: (ctx, asked) => unbindCamera(ctx, asked),
}), ...implement(cameraShotApi, { bring: { outside: takeShot, admit: admitShot }, show: { outside: showShot } })]
