import { courseApi, courseList, teachingApi } from '@campus/teaching/contract'
import { exportHandler } from '@kit/server/export'
import { addCourse, allCourses, enableCourses, listCourses, removeCourse, updateCourse } from './course/course.service.ts'
import { implement } from './db.ts'
import { changeTeacher, copyTeaching, readLoad, readMatrix, readUnavailable, saveTeaching, saveUnavailable } from './plan/teaching.service.ts'

export const planRoutes = [
  ...implement(courseApi, {
    list: (ctx, query) => listCourses(ctx, query),
    export: exportHandler(courseApi.export, courseList, listCourses),
    all: ctx => allCourses(ctx),
    add: (ctx, draft) => addCourse(ctx, draft),
    update: (ctx, patch) => updateCourse(ctx, patch),
    enable: (ctx, asked) => enableCourses(ctx, asked),
    remove: (ctx, { id }) => removeCourse(ctx, id),
  }),
  ...implement(teachingApi, {
    matrix: (ctx, query) => readMatrix(ctx, query),
    load: (ctx, query) => readLoad(ctx, query),
    save: (ctx, asked) => saveTeaching(ctx, asked),
    changeTeacher: (ctx, asked) => changeTeacher(ctx, asked),
    copy: (ctx, asked) => copyTeaching(ctx, asked),
    unavailable: (ctx, query) => readUnavailable(ctx, query),
    saveUnavailable: (ctx, asked) => saveUnavailable(ctx, asked),
  }),
]
