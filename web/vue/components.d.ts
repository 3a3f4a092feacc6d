// For the TypeScript compiler, which reads no templates: vue-tsc does, and checks the props of components.
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}
