import { appName } from '../../../web/contract/name.ts'
import { develop, isServerNamed } from './on-server.ts'

process.exitCode = isServerNamed() ? await develop('mysql') : askForServer()

/** npm brings none. */
function askForServer(): number {
  console.error(`There is no MySQL: bring one up, such as by these two commands, and start again.

  docker run -d -p 127.0.0.1:3306:3306 -e MYSQL_DATABASE=${appName} -e MYSQL_ROOT_PASSWORD=${appName} mysql:8.4
  echo 'DB_URL=mysql://root:${appName}@127.0.0.1/${appName}' >> .env`)
  return 1
}
