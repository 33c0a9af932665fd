import { placeApi } from '@campus/places/contract'
import { readAddable } from './addable.service.ts'
import { implement } from './db.ts'
import { generatePlaces, previewPlaces } from './generate.service.ts'
import { readHistory } from './history.service.ts'
import { setHome, setHomes } from './home.service.ts'
import { setManagers } from './manager.service.ts'
import { exportPlaces } from './place.export.ts'
import { movePlace, orderPlace } from './place.move.ts'
import { listPlaces, readDetail, readTree } from './place.service.ts'
import { closePlace, createPlace, previewClosing, reopenPlace, updatePlace } from './place.write.ts'

export const placeRoutes = implement(placeApi, {
  tree: (ctx, asked) => readTree(ctx, asked),
  list: (ctx, asked) => listPlaces(ctx, asked),
  export: { before: (pre, asked) => exportPlaces(pre, asked) },
  addable: (ctx, asked) => readAddable(ctx, asked),
  detail: (ctx, { id }) => readDetail(ctx, id),
  history: (ctx, asked) => readHistory(ctx, asked),
  closing: (ctx, { id }) => previewClosing(ctx, id),
  create: (ctx, draft) => createPlace(ctx, draft),
  update: (ctx, patch) => updatePlace(ctx, patch),
  remove: (ctx, asked) => closePlace(ctx, asked),
  reopen: (ctx, asked) => reopenPlace(ctx, asked),
  preview: (ctx, asked) => previewPlaces(ctx, asked),
  batch: (ctx, asked) => generatePlaces(ctx, asked),
  move: (ctx, asked) => movePlace(ctx, asked),
  order: (ctx, asked) => orderPlace(ctx, asked),
  home: (ctx, asked) => setHome(ctx, asked),
  homes: (ctx, asked) => setHomes(ctx, asked),
  managers: (ctx, asked) => setManagers(ctx, asked),
})
