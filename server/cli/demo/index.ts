export { removeDemo } from './remove-demo.ts'
export { runDemo } from './run-demo.ts'
