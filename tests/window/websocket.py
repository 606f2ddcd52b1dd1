# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A client of WebSockets (RFC 6455) for streams of bytes, with what a socket has: sendall, recv."""
import base64
import hashlib
import os
import socket
import struct

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
CONTINUATION, BINARY, CLOSE, PING, PONG = 0, 2, 8, 9, 10


class WebSocket:
    """A connection to HOST:PORT, whose messages are one stream of bytes."""

    def __init__(self, host, port, timeout):
        self.socket = socket.create_connection((host, port), timeout)
        self.received = b""  # from the connection, not yet taken apart
        self.stream = b""  # of messages, not yet read
        key = base64.b64encode(os.urandom(16))
        self.socket.sendall(b"GET /websockify HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            b"Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n"
                            b"Sec-WebSocket-Protocol: binary\r\n\r\n" % (host.encode(), port, key))
        while b"\r\n\r\n" not in self.received:
            self.receive()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        accepted = base64.b64encode(hashlib.sha1(key + GUID).digest())
        if b" 101 " not in head.splitlines()[0] or accepted not in head:
            raise RuntimeError("the server opens no WebSocket: %r" % head)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.socket.close()

    def receive(self):
        part = self.socket.recv(65536)
        if not part:
            raise RuntimeError("the server has closed the connection")
        self.received += part

    def take(self, count):
        while len(self.received) < count:
            self.receive()
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def send(self, opcode, data):
        """Clients have to mask what they send (5.3)."""
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack(">BH", 0x80 | 126, len(data))
        self.socket.sendall(bytes([0x80 | opcode]) + length + mask +
                            bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def sendall(self, data):
        self.send(BINARY, data)

    def recv(self, count):
        """At least one byte, at most COUNT; none once the server has closed the WebSocket."""
        while not self.stream:
            opcode, length = self.take(2)
            opcode &= 0x0f
            if length == 126:
                (length,) = struct.unpack(">H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.take(8))
            data = self.take(length)
            if opcode == CLOSE:
                return b""
            if opcode == PING:
                self.send(PONG, data)
            elif opcode in (CONTINUATION, BINARY):
                self.stream += data
        taken, self.stream = self.stream[:count], self.stream[count:]
        return taken
