import { cardFormatApi, readerApi, readerDeskApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { addDesk, deleteDesk, listDesks, updateDesk } from './reader/desk.service.ts'
import { addFormat, listFormats, testCard, updateFormat } from './reader/format.service.ts'
import { listSightings } from './reader/sighting.queries.ts'
import { setSocial, tellSocial } from './reader/social.service.ts'

export const readerRoutes = [
  ...implement(readerDeskApi, { list: ctx => listDesks(ctx), add: (ctx, draft) => addDesk(ctx, draft), update: (ctx, draft) => updateDesk(ctx, draft), delete: (ctx, asked) => deleteDesk(ctx, asked) }),
  ...implement(cardFormatApi, { list: ctx => listFormats(ctx), add: (ctx, draft) => addFormat(ctx, draft), update: (ctx, draft) => updateFormat(ctx, draft), test: (ctx, asked) => testCard(ctx, asked) }),
  ...implement(readerApi, { social_cfg: ctx => tellSocial(ctx), social_key: (ctx, asked) => setSocial(ctx, asked), sightings: (ctx, asked) => listSightings(ctx, asked) }),
]
