import { educationApi, folderApi, resourceApi } from '@campus/publishing/contract'
import { claim } from '@campus/files/server'
import { implement } from '../db.ts'
import {
  listLabels,
  listPictures,
  markPictures,
  openDownload,
  removeLabel,
  renameResource,
  saveLabel,
  setLabels,
} from './education.service.ts'
import { addFolder, listFolders, orderFolders, removeFolder, updateFolder } from './folder.service.ts'
import { addResources, listResources, moveResources, prepareResources, readResource, restoreResources } from './resource.service.ts'
import { replaceResource } from './replace.ts'
import { listPublishPlaces, publishResources, readImpact, readPublished, removeResources, unpublishResources } from './usage.service.ts'
import { zipResources } from './zip.job.ts'

export const resourceRoutes = [
  ...implement(resourceApi, {
    list: (ctx, query) => listResources(ctx, query),
    detail: (ctx, asked) => readResource(ctx, asked),
    add: {
      before: async (pre, asked) => {
        const brought = await prepareResources(pre, asked)
        return ctx => addResources(ctx, asked, brought)
      },
    },
    publish: (ctx, asked) => publishResources(ctx, asked),
    unpublish: (ctx, asked) => unpublishResources(ctx, asked),
    remove: (ctx, asked) => removeResources(ctx, asked),
    impact: (ctx, asked) => readImpact(ctx, asked),
    restore: (ctx, asked) => restoreResources(ctx, asked),
    move: (ctx, asked) => moveResources(ctx, asked),
    replace: {
      before: async (pre, asked) => {
        const enter = await claim(pre, { file_key: asked.file_key, purpose: 'resource', measured: true })
        return ctx => replaceResource(ctx, asked, enter)
      },
    },
    labels: ctx => listLabels(ctx),
    saveLabel: (ctx, asked) => saveLabel(ctx, asked),
    removeLabel: (ctx, asked) => removeLabel(ctx, asked),
    setLabels: (ctx, asked) => setLabels(ctx, asked),
    places: ctx => listPublishPlaces(ctx),
  }),
  ...implement(folderApi, {
    list: (ctx, query) => listFolders(ctx, query),
    add: (ctx, draft) => addFolder(ctx, draft),
    update: (ctx, draft) => updateFolder(ctx, draft),
    remove: (ctx, asked) => removeFolder(ctx, asked),
    order: (ctx, asked) => orderFolders(ctx, asked),
  }),
  ...implement(educationApi, {
    list: (ctx, query) => listPictures(ctx, query),
    isPicture: (ctx, asked) => markPictures(ctx, asked),
    rename: (ctx, asked) => renameResource(ctx, asked),
    remove: (ctx, asked) => removeResources(ctx, asked),
    published: (ctx, asked) => readPublished(ctx, asked),
    publish: (ctx, asked) => publishResources(ctx, asked),
    unpublish: (ctx, asked) => unpublishResources(ctx, asked),
    zip: (ctx, asked) => zipResources(ctx, asked),
    download: { before: (pre, asked) => openDownload(pre, asked) },
  }),
]
