import { surveyBoundaries } from './boundaries/cruise.ts'
import { report, runCheck } from './finding.ts'

await runCheck('boundaries', async () => {
  const survey = await surveyBoundaries()
  return report('boundaries', `${survey.modules} modules with ${survey.dependencies} imports`, survey.findings)
})
