import { dishApi, dishList, MEAL_KIND, menuApi } from '@campus/canteen/contract'
import { writeRows } from '@kit/server/excel'
import { exportHandler } from '@kit/server/export'
import { implement } from './db.ts'
import type { CanteenCtx } from './db.ts'
import { addDish, listDishes, preparePicture, removeDish, updateDish } from './dish.service.ts'
import { preparePictures } from './import/picture.service.ts'
import { menu_heads } from './import/menu.template.ts'
import { copyMenu, dayMenu, exportLines, fillMenu, listMenus, listPlaces, readMenu, saveMenu, substituteDish, withdrawMenu } from './menu.service.ts'

const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const meal_names: Readonly<Record<string, string>> = MEAL_KIND.names

/** The chosen menus as one sheet, in the columns of the import. */
async function exportMenus(ctx: CanteenCtx, { ids }: { ids: readonly string[] }) {
  const lines = await exportLines(ctx, ids)
  ctx.note({ target_kind: 'canteen.menu', target_name: `${ids.length}份` })
  const rows = lines.map(line => line.map((text, at) => (at === 1 ? (meal_names[text] ?? text) : text)))
  const columns = menu_heads.map(label => ({ label }))
  const body = await writeRows({ sheet: '食谱导入', head: ['修改后可用“食谱导入”导回'], columns, rows })
  return { file_name: '每周食谱.xlsx', mime, body, size: body.length }
}

export const canteenApiRoutes = [
  ...implement(dishApi, {
    list: (ctx, query) => listDishes(ctx, query),
    export: exportHandler(dishApi.export, dishList, listDishes),
    add: {
      before: async (pre, draft) => {
        const picture = await preparePicture(pre, draft.file_key)
        return ctx => addDish(ctx, draft, picture)
      },
    },
    update: {
      before: async (pre, asked) => {
        const picture = await preparePicture(pre, asked.file_key, asked.id)
        return ctx => updateDish(ctx, asked, picture)
      },
    },
    addPictures: { before: (pre, asked) => preparePictures(pre, asked) },
    remove: (ctx, asked) => removeDish(ctx, asked),
  }),
  ...implement(menuApi, {
    list: (ctx, query) => listMenus(ctx, query),
    places: ctx => listPlaces(ctx),
    detail: (ctx, query) => readMenu(ctx, query),
    save: (ctx, asked) => saveMenu(ctx, asked),
    withdraw: (ctx, asked) => withdrawMenu(ctx, asked),
    copy: (ctx, asked) => copyMenu(ctx, asked),
    substitute: (ctx, asked) => substituteDish(ctx, asked),
    fill: (ctx, asked) => fillMenu(ctx, asked),
    export: (ctx, query) => exportMenus(ctx, query),
    day: (ctx, query) => dayMenu(ctx, query),
  }),
]
