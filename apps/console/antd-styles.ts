import type { Plugin } from 'vite'

const style_module = /node_modules[\\/]antd[\\/]es[\\/].*[\\/]style[\\/].*\.js$/
/** The three functions by which antd's style modules give a component its look: name, rules, tokens. */
const makers = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'])

type Node = { type: string; start: number; end: number }
type Call = Node & { callee: Node & { name?: string }; arguments: Node[] }

/**
 * Leaves out of the build the rules that antd's components would make in the browser: they stand in antd.css (`zeroRuntime` of the theme), and
 * nobody calls them. What remains of a style module are the tokens of its component, from which the variables of the theme are made.
 * A build in which no rule was found stops: then antd has another shape.
 */
export function leaveStylesOut(): Plugin {
  let found = 0
  return {
    name: 'console:antd-styles',
    apply: 'build',
    transform(code, id) {
      if (!style_module.test(id)) return null
      const rules = callsOf(this.parse(code)).flatMap(call => (makers.has(call.callee.name ?? '') ? call.arguments.slice(1, 2) : []))
      found += rules.length
      const shorter = rules.toReversed().reduce((text, { start, end }) => `${text.slice(0, start)}() => []${text.slice(end)}`, code)
      return rules.length === 0 ? null : { code: shorter, map: null }
    },
    generateBundle() {
      if (found === 0) this.error('antd no longer gives its components their styles by the known functions')
    },
  }
}

const sheet = /node_modules[\\/]antd[\\/]dist[\\/]antd\.css$/
/** A rule of antd.css that is of every link: at the beginning of a rule or of a list of them. */
const of_every_link = /(?<=^|[{},])a(?=[{:,[])/g

/** Part of antd's components or in one of them. */
const of_antd = "a:where([class*='css-var-'], [class*='css-var-'] *)"

/** Lets the rules of antd.css for links stand for those of antd's components and in them, as antd itself does: all others keep their ring when the keyboard is at them. */
export function keepOwnLinks(): Plugin {
  return {
    name: 'console:own-links',
    enforce: 'pre',
    transform(code, id) {
      if (!sheet.test(id)) return null
      if (code.search(of_every_link) < 0) this.error('antd.css no longer has rules for every link')
      return { code: code.replaceAll(of_every_link, of_antd), map: null }
    },
  }
}

/** Every call in a module, in the order of the text. */
function callsOf(tree: unknown): Call[] {
  if (Array.isArray(tree)) return tree.flatMap(callsOf)
  if (typeof tree !== 'object' || tree === null) return []
  const within = Object.values(tree).flatMap(callsOf)
  return isCall(tree) ? [tree, ...within] : within
}

function isCall(node: object): node is Call {
  return 'type' in node && node.type === 'CallExpression'
}
