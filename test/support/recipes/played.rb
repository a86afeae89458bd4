# Plays the callback of the recipe for Rails, with the signature check of its page.
require 'json'
require 'socket'
require './helper_signature'

ORDER = { 'customer' => 'ann', 'status' => 'open' }
ANSWERS = {}

def cancel_order(call)
  number = call.dig('arguments', 'orderNumber')
  return { error: { message: "There is no order #{number}." } } unless number == 1001 && call.dig('user', 'id') == ORDER['customer']
  return { error: { message: 'Order 1001 is cancelled already.' } } unless ORDER['status'] == 'open'

  ORDER['status'] = 'cancelled'
  { result: { orderNumber: number, status: 'cancelled' } }
end

def run(call)
  return { error: { message: 'Sign in first.' } } unless call.dig('user', 'isAuthenticated')
  return { error: { message: "There is no action #{call['action']}." } } unless call['action'] == 'cancel_order'

  cancel_order(call)
end

def answer(method, headers, body)
  sent = %w[id timestamp signature].map { |name| headers["webhook-#{name}"] }
  return [401, ''] unless HelperSignature.fits?(*sent, body, ENV.fetch('SHOP_CALLBACK_SECRET'))
  return [200, File.read('helper-manifest.json')] if method == 'GET'

  [200, (ANSWERS[sent.first] ||= JSON.generate(run(JSON.parse(body))))]
end

server = TCPServer.new('127.0.0.1', 0)
puts "http://127.0.0.1:#{server.addr[1]}"
$stdout.flush
loop do
  client = server.accept
  method = client.gets.to_s.split.first
  headers = {}
  while (line = client.gets.to_s.strip) != ''
    name, value = line.split(':', 2)
    headers[name.downcase] = value.strip
  end
  body = client.read(headers['content-length'].to_i).to_s
  status, text =
    begin
      answer(method, headers, body)
    rescue RuntimeError
      [500, '']
    end
  client.write "HTTP/1.1 #{status} Answer\r\ncontent-type: application/json\r\ncontent-length: #{text.bytesize}\r\nconnection: close\r\n\r\n#{text}"
  client.close
end
