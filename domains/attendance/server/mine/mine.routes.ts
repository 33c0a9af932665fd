import { attendLocationApi, attendSignApi, myAttendApi } from '@campus/attendance/contract'
import { implement } from '../db.ts'
import { listLocations, removeLocation, saveLocation, signInHere } from './location.service.ts'
import { myDay, myMonth, mySubjects } from './my.service.ts'
import { placeCode, signIn } from './sign.service.ts'

/** What somebody sees and says of himself on his phone. */
export const mineRoutes = [
  ...implement(myAttendApi, {
    subjects: ctx => mySubjects(ctx),
    month: (ctx, asked) => myMonth(ctx, asked),
    day: (ctx, asked) => myDay(ctx, asked),
  }),
  ...implement(attendLocationApi, {
    list: (ctx, asked) => listLocations(ctx, asked),
    save: (ctx, asked) => saveLocation(ctx, asked),
    remove: (ctx, asked) => removeLocation(ctx, asked),
    add: (ctx, asked) => signInHere(ctx, asked),
  }),
  ...implement(attendSignApi, { code: (ctx, asked) => placeCode(ctx, asked), add: (ctx, asked) => signIn(ctx, asked) }),
]
