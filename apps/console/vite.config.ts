import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { keepOwnLinks, leaveStylesOut } from './antd-styles.ts'

const server = `http://127.0.0.1:${env.CAMPUS_PORT ?? '7300'}`

// The login page must not carry the app's long list of chunks in its first bytes; the app fetches its own.
const preload_most = 8
const entry = /^assets\/index-/
const loaded_with_it = /^assets\/(index|react|rolldown-runtime)-/

// Packages that forget to say that importing them does nothing by itself, and heavy parts of the kit that few pages use: without this
// they are in what every page loads.
const pureModules = [
  { test: /node_modules[\\/]@rc-component[\\/].*\.js$/, sideEffects: false },
  { test: /kit[\\/]web[\\/](?:parts[\\/](?:date-|job-progress)|page[\\/]app-drawer)/, sideEffects: false },
  { test: /kit[\\/]web[\\/]upload[\\/].*\.tsx?$/, sideEffects: false },
]

// Vite's own helper is four times as long and stands in the first bytes of the login page. A Vite that names it otherwise stops the build.
function shortPreload(): Plugin {
  let taken = false
  return {
    name: 'console:short-preload',
    apply: 'build',
    enforce: 'pre',
    resolveId: id => {
      if (id !== '\0vite/preload-helper.js') return null
      taken = true
      return fileURLToPath(new URL('./preload.ts', import.meta.url))
    },
    generateBundle() {
      if (!taken) this.error('Vite no longer asks for its preload helper by the known name')
    },
  }
}

function preloads(_file: string, found: string[], { hostId }: { hostId: string }): string[] {
  const wanted = entry.test(hostId) ? found : found.filter(file => !loaded_with_it.test(file))
  return wanted.length > preload_most ? [] : wanted
}

// Alone, each small part that several others share is a file of its own, twice as heavy as together: the login page's of its first paint; icons and
// parts that shell and pages share. Of the latter the login page uses none, and must not carry them: what they rest on stays where it is.
const chunkGroups = [
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
  { name: 'login-form', includeDependenciesRecursively: false, test: /apps[\\/]console[\\/]login[\\/](?:storage|form-state|login-state|field|password-input)\.tsx?$/ },
  { name: 'icons', includeDependenciesRecursively: false, test: /@ant-design[\\/]icons(?:-svg)?[\\/]es[\\/](?:asn|icons)[\\/](?:History|QuestionCircle|SafetyCertificate|Schedule|Bell|Export|Import|Calendar|Plus|Down|Setting|Star|Notification|Appstore|CarryOut|Control|Read|Team|Apartment|IdCard|Search|Menu|Right|Left|Up|Tags|CustomerService|Idcard|Smile|User|UserSwitch|Safety|Home|BarChart|CreditCard|Delete|File|Folder|FolderOpen)(?:Outlined|Filled)/ },
  { name: 'shell', includeDependenciesRecursively: false, test: /domains[\\/](?:identity|jobs|messages|people|school)[\\/]web[\\/](?:index|routes|ports|[\w/]*on-demand|[\w/]*-door|[\w/]*use-jobs|[\w/]*use-inbox|use-dept-tree|tag[\\/]tag-ch)|domains[\\/](?:jobs|messages|people|school)[\\/]contract[\\/](?:job|channels|inbox|dictionary|navigation|sub-app|preference|routes|student|dept|tag-mark|school)\.ts|domains[\\/]identity[\\/]contract[\\/](?:session|realtime|sub-app|own-rule|login)\.ts|apps[\\/]console[\\/]app[\\/](?:version|session[\\/]session|account[\\/]switch-identity|sub-app[\\/]open-sub-app|layout[\\/](?:menu-model|page-icon))\./ },
]

// Chunking stays automatic but for these: other groups doubled the login page. No polyfill, so no inline code under the strict CSP.
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [shortPreload(), leaveStylesOut(), keepOwnLinks(), react()],
  // The browser extension for developers finds the development server; in the build its hook is 0.4 KiB of the login page.
  define: command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {},
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false, resolveDependencies: preloads },
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups } },
      treeshake: { moduleSideEffects: pureModules },
    },
  },
  server: { proxy: { '^/(web|core|leave|material|api|iot|pay|admin-api)/': server, '^/(livez|readyz)$': server } },
}))
