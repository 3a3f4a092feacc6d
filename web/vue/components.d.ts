// For the TypeScript compiler, which cannot read templates; vue-tsc can, and checks component props.
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}
