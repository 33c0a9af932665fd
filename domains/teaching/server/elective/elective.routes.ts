import { choiceApi, comboList, electiveApi, missingList, offerApi, seatApi, seatList, sectioningApi, walkingApi,
  walkingList } from '@campus/teaching/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../db.ts'
import { applySection, latestSection, startSection, undoSection } from '../section/section.service.ts'
import { listCombos, saveCombo } from './combo.service.ts'
import { drawTask, verifyDraw } from './draw.service.ts'
import { dropMine, myOffers, myTasks, pickMine, wishMine } from './my.service.ts'
import { addCombos, addOffer, listOffers, removeOffer, updateOffer } from './offer.service.ts'
import { announceTask, makeClasses } from './result.service.ts'
import { assignSeat, listMissing, listSeats, readEvents, removeSeat } from './seat.service.ts'
import { addTask, listTasks, pauseTask, publishTask, readTask, removeTask, reopenTask, updateTask, voidTask } from './task.service.ts'
import { listClassStudents, listWalking } from './walking.service.ts'

export const electiveRoutes = [
  ...implement(electiveApi, {
    list: (ctx, query) => listTasks(ctx, query),
    read: (ctx, { id }) => readTask(ctx, id),
    add: (ctx, draft) => addTask(ctx, draft),
    update: (ctx, patch) => updateTask(ctx, patch),
    remove: (ctx, { id }) => removeTask(ctx, id),
    publish: (ctx, asked) => publishTask(ctx, asked),
    pause: (ctx, asked) => pauseTask(ctx, asked),
    reopen: (ctx, asked) => reopenTask(ctx, asked),
    void: (ctx, asked) => voidTask(ctx, asked),
    draw: (ctx, { id }) => drawTask(ctx, id),
    announce: (ctx, asked) => announceTask(ctx, asked),
    makeClasses: (ctx, asked) => makeClasses(ctx, asked),
  }),
  ...implement(offerApi, {
    list: (ctx, { task_id }) => listOffers(ctx, task_id),
    add: (ctx, draft) => addOffer(ctx, draft),
    update: (ctx, patch) => updateOffer(ctx, patch),
    remove: (ctx, { id }) => removeOffer(ctx, id),
    combos: (ctx, asked) => addCombos(ctx, asked),
  }),
  ...implement(seatApi, {
    list: (ctx, query) => listSeats(ctx, query),
    export: exportHandler(seatApi.export, seatList, listSeats),
    missing: (ctx, query) => listMissing(ctx, query),
    exportMissing: exportHandler(seatApi.exportMissing, missingList, listMissing),
    events: (ctx, query) => readEvents(ctx, query),
    assign: (ctx, asked) => assignSeat(ctx, asked),
    remove: (ctx, asked) => removeSeat(ctx, asked),
    combos: (ctx, query) => listCombos(ctx, query),
    exportCombos: exportHandler(seatApi.exportCombos, comboList, listCombos),
    saveCombo: (ctx, asked) => saveCombo(ctx, asked),
  }),
  ...implement(walkingApi, {
    list: (ctx, query) => listWalking(ctx, query),
    export: exportHandler(walkingApi.export, walkingList, listWalking),
    students: (ctx, { id }) => listClassStudents(ctx, id),
  }),
  ...implement(sectioningApi, {
    latest: (ctx, query) => latestSection(ctx, query),
    start: (ctx, asked) => startSection(ctx, asked),
    apply: (ctx, asked) => applySection(ctx, asked),
    undo: (ctx, { id }) => undoSection(ctx, id),
  }),
  ...implement(choiceApi, {
    tasks: ctx => myTasks(ctx),
    offers: (ctx, query) => myOffers(ctx, query),
    pick: (ctx, asked) => pickMine(ctx, asked),
    drop: (ctx, asked) => dropMine(ctx, asked),
    wishes: (ctx, asked) => wishMine(ctx, asked),
    verify: { outside: (pre, { code }) => verifyDraw(pre, code) },
  }),
]
