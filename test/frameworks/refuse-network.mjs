// Loaded in front of an example: a connection to anything but a file of this machine is an error, which the example prints.
import { Socket } from "node:net";

const connect = Socket.prototype.connect;

Socket.prototype.connect = function (...args) {
  const [target] = args.flat();
  if (target?.path !== undefined) return connect.apply(this, args);
  process.stderr.write(`The example connects to ${JSON.stringify(target?.host ?? target)}.\n`);
  throw new Error("There is no network in tests.");
};
