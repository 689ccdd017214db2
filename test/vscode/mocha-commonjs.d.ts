// mocha's main file is an ES module, and the Node of the oldest VS Code gives another thing for it to `require` than
// newer ones do. The script behind it is the same everywhere.
declare module 'mocha/lib/mocha.cjs' {
  import Mocha = require('mocha');
  export = Mocha;
}
