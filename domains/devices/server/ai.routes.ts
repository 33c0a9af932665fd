import { aiRecordApi, aiRuleApi } from '@campus/devices/contract'
import { listBoxes } from './ai/box.service.ts'
import { decideWarnings, undoDecisions } from './ai/decide.service.ts'
import { exportImages } from './ai/image-export.service.ts'
import { exportWarnings } from './ai/record.export.ts'
import { listDecisions, listWarnings, sumWarnings } from './ai/record.service.ts'
import { deleteAiRule, listAiRoles, listAiRules, listValidCameras, saveAiRule } from './ai/rule.service.ts'
import { lookOnce } from './camera/live.service.ts'
import { implement } from './db.ts'

export const aiRoutes = [
  ...implement(aiRuleApi, {
    page: (ctx, asked) => listAiRules(ctx, asked),
    save: (ctx, draft) => saveAiRule(ctx, draft),
    delete: (ctx, asked) => deleteAiRule(ctx, asked),
    valid_devices: (ctx, asked) => listValidCameras(ctx, asked),
    boxes: ctx => listBoxes(ctx),
    shot: { outside: (pre, asked) => lookOnce(pre, asked) },
    roles: ctx => listAiRoles(ctx),
  }),
  ...implement(aiRecordApi, {
    page: (ctx, asked) => listWarnings(ctx, asked),
    summary: (ctx, asked) => sumWarnings(ctx, asked),
    decisions: (ctx, asked) => listDecisions(ctx, asked),
    ignore: (ctx, asked) => decideWarnings(ctx, asked, '1'),
    illegal: (ctx, asked) => decideWarnings(ctx, asked, '2'),
    undo: (ctx, asked) => undoDecisions(ctx, asked),
    export: { before: (pre, asked) => exportWarnings(pre, asked) },
    export_images: (ctx, asked) => exportImages(ctx, asked),
  }),
]
