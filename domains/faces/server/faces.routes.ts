import { faceApi, faceBatchApi, faceConsentApi, faceItemList, faceLinkApi, faceList, facePolicyApi } from '@campus/faces/contract'
import { exportHandler } from '@kit/server/export'
import { closeBatch, detectItem, importFaces, listItems, myBatches, noteUploaded, openBatch, readBatch } from './batch.service.ts'
import { answerConsent, consentMap, myConsents, recordPaper, remind, reviewPaper, setStatus } from './consent.service.ts'
import { implement } from './db.ts'
import { decideCase, faceDetail, listErasures, listFaces, openPhoto, progressOf, removeFaces, setFace, verifyFace } from './face.service.ts'
import { actLink, lookLink } from './link.service.ts'
import { shownPolicy, writePolicy } from './policy.service.ts'

export const facesRoutes = [
  ...implement(faceApi, {
    list: (ctx, query) => listFaces(ctx, query),
    export: exportHandler(faceApi.export, faceList, listFaces),
    progress: (ctx, query) => progressOf(ctx, query),
    detail: (ctx, asked) => faceDetail(ctx, asked),
    set: { before: (pre, asked) => setFace(pre, asked) },
    remove: (ctx, asked) => removeFaces(ctx, asked),
    verify: (ctx, asked) => verifyFace(ctx, asked),
    decide: (ctx, asked) => decideCase(ctx, asked),
    photo: { before: (pre, asked) => openPhoto(pre, asked) },
    erasures: (ctx, query) => listErasures(ctx, query),
  }),
  ...implement(faceConsentApi, {
    setStatus: (ctx, asked) => setStatus(ctx, asked),
    remind: (ctx, asked) => remind(ctx, asked),
    map: (ctx, query) => consentMap(ctx, query),
    paper: { before: (pre, asked) => recordPaper(pre, asked) },
    review: (ctx, asked) => reviewPaper(ctx, asked),
    mine: ctx => myConsents(ctx),
    answer: (ctx, asked) => answerConsent(ctx, asked),
  }),
  ...implement(faceLinkApi, {
    look: { outside: (pre, params) => lookLink(pre, params) },
    act: { outside: (pre, body) => actLink(pre, body) },
  }),
  ...implement(faceBatchApi, {
    open: (ctx, asked) => openBatch(ctx, asked),
    uploaded: (ctx, asked) => noteUploaded(ctx, asked),
    detect: { before: (pre, asked) => detectItem(pre, asked) },
    importFaces: { before: (pre, asked) => importFaces(pre, asked) },
    progress: (ctx, asked) => readBatch(ctx, asked),
    mine: (ctx, query) => myBatches(ctx, query),
    close: (ctx, asked) => closeBatch(ctx, asked),
    items: (ctx, query) => listItems(ctx, query),
    exportErrors: exportHandler(faceBatchApi.exportErrors, faceItemList, listItems),
  }),
  ...implement(facePolicyApi, {
    read: ctx => shownPolicy(ctx),
    write: (ctx, asked) => writePolicy(ctx, asked),
  }),
]
