import './people.css'

export { PeopleOverview } from './overview/on-demand.tsx'
export { ActingTag } from './delegate/on-demand.tsx'
export { RegisterState } from './register/on-demand.tsx'
export { StaffsSelect } from './organization/staff-select.tsx'
export { connectPeople } from './ports.ts'
export { peoplePages } from './routes.ts'
export { useDeptTree } from './use-dept-tree.ts'
